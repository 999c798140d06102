export { addressIn, ASCII_EMAIL, EMAIL } from './email';
export { parseAddresses, parsePeople, toEmail, toEmails } from './email';
export {
	describeValue,
	fieldsIn,
	INVISIBLE,
	isBlank,
	isDataObject,
	isNoValue,
	isObject,
	listIn,
	trimmed,
} from './any';
export { toChoice, toSwitch } from './choice';
export { toFutureTimestamp, toUtcTimestamp } from './date';
export { hasNoResult, isExpression } from './expression';
export { parseJson, parseJsonObject } from './json';
export { parseList, rowsOfForm, toList, valueOrThrow } from './list';
export { findByName, normalizeName, onlyMatch, parseName, toName } from './name';
export { isRounded, ROUNDED, toId, toWebAddress } from './text';
export { toPositiveInteger, toLine, toNumber, toText, toTitle } from './text';

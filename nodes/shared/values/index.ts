export {
	addressIn,
	ASCII_EMAIL,
	EMAIL,
	isNothing,
	readAddresses,
	toEmail,
	toEmails,
} from './email';
export { fieldsIn, INVISIBLE, isBlank, isDataObject, isRecord, listIn, tidy, trimmed } from './any';
export { toChoice, toSwitch } from './choice';
export { toFutureTimestamp, toUtcTimestamp } from './date';
export { hasNoResult, isExpression } from './expression';
export { toJson, toJsonObject } from './json';
export { readList, rowsOfForm, toList, valueOrFail } from './list';
export { findByName, looksOf, onlyOne, readName, toName } from './name';
export { toCount, toLine, toNumber, toText, toTitle } from './text';

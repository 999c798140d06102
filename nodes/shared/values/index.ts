export {
	addressIn,
	ASCII_EMAIL,
	EMAIL,
	isNothing,
	readAddresses,
	toEmail,
	toEmails,
} from './address';
export { INVISIBLE, isBlank, isDataObject, isRecord, tidy, trimmed } from './any';
export { toChoice, toSwitch } from './choice';
export { toFutureTimestamp, toUtcTimestamp } from './date';
export { toJson, toJsonObject } from './json';
export { readList, toList } from './list';
export { findByName, looksOf, onlyOne, readName, toName } from './name';
export { toNumber, toText } from './text';

/** Adds a value to the list under a key. Creates the list if the key is new. */
export function addToList<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
	const list = lists.get(key);
	if (list) list.push(value);
	else lists.set(key, [value]);
}

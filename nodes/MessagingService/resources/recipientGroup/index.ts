export { addRecipients } from './addRecipients';
export { create } from './create';
export { deleteGroup as delete } from './delete';
export { get } from './get';
export { getAll } from './getAll';
export { getOrCreate } from './getOrCreate';
export { removeRecipients } from './removeRecipients';
export { sync } from './sync';

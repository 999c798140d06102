export { close } from './close';
export { create } from './create';
export { deleteBroadcast as delete } from './delete';
export { get } from './get';
export { getAll } from './getAll';
export { sendAndWait } from './sendAndWait';
export { update } from './update';

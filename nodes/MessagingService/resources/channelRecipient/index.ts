export { add } from './add';
export { getAll } from './getAll';
export { remove } from './remove';
export { sync } from './sync';

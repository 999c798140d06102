export { getAll } from './getAll';
export { remove } from './remove';
export { set } from './set';

export { create } from './create';
export { getResponses } from './getResponses';
export { getSummary } from './getSummary';
export { launch } from './launch';
export { update } from './update';

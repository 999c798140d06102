export { create } from './create';
export { getResponses } from './getResponses';
export { getSummary } from './getSummary';
export { launch } from './launch';
export { remind } from './remind';
export { update } from './update';

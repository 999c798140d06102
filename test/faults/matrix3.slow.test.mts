import { useNoWaiting } from '../kit/noWaiting.mts';
import { faultMatrix } from './matrix.mts';

useNoWaiting();
faultMatrix(2);

import { useFakeSleep } from '../kit/fakeSleep.mts';
import { faultMatrix } from './matrix.mts';

useFakeSleep();
faultMatrix(1);

import { describeRefusedCalls } from './describe-refused-calls';

describeRefusedCalls('app-c');

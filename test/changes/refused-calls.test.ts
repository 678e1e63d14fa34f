import { describeRefusedCalls } from './describe-refused-calls';

describe.each(['app-a', 'app-b'] as const)('%s', (app) => {
  describeRefusedCalls(app);
});

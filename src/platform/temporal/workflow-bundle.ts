import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleOption } from '@temporalio/worker';

/** `npm run build` puts the bundle here, made by the same SDK version that will run it. */
const BUILT = join(__dirname, '..', '..', '..', 'workflow-bundle.js');

const WORKFLOWS = join(__dirname, '..', '..', '..', 'workflows', `index${extname(__filename)}`);

/** The workflows as one script: the built one in production, otherwise bundled from source. */
export async function loadWorkflowBundle(): Promise<WorkflowBundleOption> {
  if (existsSync(BUILT)) return { codePath: BUILT };
  return bundleWorkflowCode({
    workflowsPath: WORKFLOWS,
    logger: new DefaultLogger('ERROR'),
  });
}

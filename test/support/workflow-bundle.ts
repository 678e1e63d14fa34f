import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { loadWorkflowBundle } from '../../src/platform/temporal/workflow-bundle';

/** Bundles the workflows once for every worker of the run: two seconds each would be most of a test's time. */
export async function bundleTestWorkflows(directory: string): Promise<void> {
  const bundle = await loadWorkflowBundle();
  const path = join(directory, 'workflow-bundle.js');
  if ('code' in bundle) await writeFile(path, bundle.code);
  process.env['TEST_WORKFLOW_BUNDLE'] = 'code' in bundle ? path : bundle.codePath;
}

/** The run's bundle, as a worker takes it. */
export function testWorkflowBundle(): WorkflowBundleOption {
  const codePath = process.env['TEST_WORKFLOW_BUNDLE'];
  if (!codePath) throw new Error('no bundle: run this file through `npm test -- <path>`');
  return { codePath };
}

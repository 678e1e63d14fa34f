// Makes the Temporal SDK download the server it would test against, into the folder named by the first argument.
// A process of its own, because the SDK allows one native runtime a process and the worker sets that up differently.
import { TestWorkflowEnvironment } from '@temporalio/testing';

const executable = { type: 'cached-download', downloadDir: process.argv[2] };
const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } });
await environment.teardown();

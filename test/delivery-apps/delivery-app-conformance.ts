import type { ConformanceSubject } from './conformance-subject';
import { describeAvailability } from './describe-availability';
import { describeHostileAnswers } from './describe-hostile-answers';
import { describePolls } from './describe-polls';
import { describePushes } from './describe-pushes';
import { describeReadBack } from './describe-read-back';
import { describeReadMenu } from './describe-read-menu';
import { describeTokens } from './describe-tokens';
import { describeTransform } from './describe-transform';
import { createConformanceClient, createLoopbackClient } from './workbench';

/** The guarantees that every adapter gives; an app's own test file declares its subject and calls this. */
export function describeDeliveryApp(subject: ConformanceSubject): void {
  const { poll, readBack, readMenu } = abilitiesOf(subject);
  const { name } = subject.app;
  // A failure prints these titles, so they say where to look (docs/adding-a-delivery-app.md, step 6).
  describe(`${name} transform, or rules in validate-menu.ts`, () => describeTransform(subject));
  describe(`${name} fetchToken, or route token of the simulator`, () => describeTokens(subject));
  describe(`${name} pushMenu, or route upload of the simulator`, () => describePushes(subject));
  if (poll) {
    describe(`${name} pollTask, or route poll of the simulator`, () => describePolls(subject));
  }
  if (readBack) {
    describe(`${name} readBack, or route read of the simulator`, () => describeReadBack(subject));
  }
  if (readMenu) {
    describe(`${name} readMenu, or route read of the simulator`, () => describeReadMenu(subject));
  }
  describe(`${name} switchItems and pauseStore`, () => describeAvailability(subject));
  describe(`${name} client with hostile answers`, () => describeHostileAnswers(subject));
}

/** The client itself shows what it can do; making one opens no connection. */
function abilitiesOf(subject: ConformanceSubject) {
  const client = createConformanceClient(subject, createLoopbackClient(), 'http://127.0.0.1');
  return {
    poll: client.pollTask !== undefined,
    readBack: client.readBack !== undefined,
    readMenu: client.readMenu !== undefined,
  };
}

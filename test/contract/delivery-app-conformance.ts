import type { ConformanceSubject } from './conformance-subject';
import { describeHostileAnswers } from './describe-hostile-answers';
import { describePolls } from './describe-polls';
import { describePushes } from './describe-pushes';
import { describeReadBack } from './describe-read-back';
import { describeTokens } from './describe-tokens';
import { describeTransform } from './describe-transform';
import { createConformanceClient, createLoopbackClient } from './workbench';

/** The guarantees that every adapter gives; an app's own test file declares its subject and calls this. */
export function describeDeliveryApp(subject: ConformanceSubject): void {
  const { poll, readBack } = abilitiesOf(subject);
  describe(`${subject.app.name} transform`, () => describeTransform(subject));
  describe(`${subject.app.name} token`, () => describeTokens(subject));
  describe(`${subject.app.name} push`, () => describePushes(subject));
  if (poll) describe(`${subject.app.name} task`, () => describePolls(subject));
  if (readBack) describe(`${subject.app.name} read back`, () => describeReadBack(subject));
  describe(`${subject.app.name} hostile answers`, () => describeHostileAnswers(subject));
}

/** The client itself shows what it can do; making one opens no connection. */
function abilitiesOf(subject: ConformanceSubject): { poll: boolean; readBack: boolean } {
  const client = createConformanceClient(subject, createLoopbackClient(), 'http://127.0.0.1');
  return { poll: client.pollTask !== undefined, readBack: client.readBack !== undefined };
}

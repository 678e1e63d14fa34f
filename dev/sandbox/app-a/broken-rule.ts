/** The first rule that a menu breaks; the message is the app's answer. Never leaves the validator. */
export class BrokenRule extends Error {
  override readonly name = 'BrokenRule';
}

/** Stops the validation: the app names one broken rule, not all. */
export function refuse(message: string): never {
  throw new BrokenRule(message);
}

import type { Config } from '../platform/config/config';
import { createSecretBox, type SecretBox, toEncryptionKey } from '../platform/crypto/secrets';

/** The secret box of this deployment: the current key, and the previous one while secrets are being re-encrypted. */
export function createConfiguredSecretBox(
  config: Pick<Config, 'ENCRYPTION_KEY' | 'ENCRYPTION_KEY_PREVIOUS'>,
): SecretBox {
  const current = toEncryptionKey(config.ENCRYPTION_KEY);
  const previous = config.ENCRYPTION_KEY_PREVIOUS;
  return createSecretBox(previous ? [current, toEncryptionKey(previous)] : [current]);
}

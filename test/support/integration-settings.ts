/** Settings of an integration that `updateIntegration` leaves as they are. */
export const UNCHANGED_SETTINGS = {
  name: null,
  baseUrl: null,
  clientId: null,
  clientSecretEncrypted: null,
  webhookSecretEncrypted: null,
  active: null,
  maxInFlight: null,
} as const;

/** An error that an operator can fix. Nothing was changed unless the message says so. */
export class RecoveryError extends Error {
  override name = 'RecoveryError';
}

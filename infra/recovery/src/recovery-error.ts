/** What an operator has to know, and can do something about; nothing was changed unless it says so. */
export class RecoveryError extends Error {
  override name = 'RecoveryError';
}

const maxLength = 254;
const pattern = /^[^\s@]+@[^\s@]+$/;

/** E-mails are stored and compared in Unicode NFC and lower case. */
export const normalizeEmail = (email: string) => email.trim().normalize('NFC').toLowerCase().normalize('NFC');

/** Returns the normalized e-mail, or undefined if the input is not an e-mail address that a user can have. */
export function parseEmail(input: string | null | undefined): string | undefined {
  const email = normalizeEmail(input ?? '');
  const isAddress = email.length <= maxLength && pattern.test(email) && email.isWellFormed() && !email.includes('\0');
  return isAddress && !isReserved(email) ? email : undefined;
}

// RFC 2606 reserves .invalid, so these addresses never belong to a real mailbox. A user who claims one would prevent that
// another is anonymized or loses an e-mail.
const reservedDomain = '@invalid';
export const isReserved = (email: string) => email.endsWith(reservedDomain);
export const displacedEmail = (userId: string) => `displaced-${userId}${reservedDomain}`;

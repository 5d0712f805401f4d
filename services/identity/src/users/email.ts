const maxLength = 254;
const pattern = /^[^\s@]+@[^\s@]+$/;

/** E-mails are stored and compared in Unicode NFC and lower case. */
export const normalizeEmail = (email: string) => email.trim().normalize('NFC').toLowerCase().normalize('NFC');

/** Returns the normalized e-mail, or undefined if the input is not an e-mail address. */
export function parseEmail(input: string | null | undefined): string | undefined {
  const email = normalizeEmail(input ?? '');
  return email.length <= maxLength && pattern.test(email) && email.isWellFormed() && !email.includes('\0')
    ? email
    : undefined;
}

// RFC 2606 reserves .invalid, so these addresses never belong to a real mailbox.
export const displacedEmail = (userId: string) => `displaced-${userId}@invalid`;
export const anonymizedEmail = (userId: string) => `anonymized-${userId}@invalid`;

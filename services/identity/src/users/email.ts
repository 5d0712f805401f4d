const maxLength = 254;
const pattern = /^[^\s@]+@[^\s@]+$/;

/** E-mails are compared, and kept, in NFC and lower case. */
export const normalizeEmail = (email: string) => email.trim().normalize('NFC').toLowerCase().normalize('NFC');

/** The e-mail in its comparable form, or undefined where it is none. */
export function parseEmail(given: string | null | undefined): string | undefined {
  const email = normalizeEmail(given ?? '');
  return email.length <= maxLength && pattern.test(email) && email.isWellFormed() && !email.includes('\0')
    ? email
    : undefined;
}

// RFC 2606's .invalid never resolves, so that these addresses match nobody's.
export const displacedEmail = (userId: string) => `displaced-${userId}@invalid`;
export const anonymizedEmail = (userId: string) => `anonymized-${userId}@invalid`;

import { createPrivateKey, sign } from 'node:crypto';
import { type Principal, passportAudience, passportIssuer, passportLifetimeSeconds } from '@lms/contracts/passport';

/** The content of a passport: the caller, or `null` if the gateway itself sends the request. */
export interface PassportSubject {
  principal: Principal | null;
  requestId: string;
}

/** Returns the Ed25519 signature of a message. */
export type SignMessage = (message: Buffer) => Buffer;

const encode = (text: string) => Buffer.from(text).toString('base64url');
const header = encode(JSON.stringify({ alg: 'EdDSA', typ: 'JWT' }));
const heads = new WeakMap<Principal, string>();

/** The part that all passports of a principal share, cached. It is padded to whole base64url groups, so that text can be appended. */
function headOf(principal: Principal | null): string {
  const cached = principal && heads.get(principal);
  if (cached) return cached;
  const claims = { iss: passportIssuer, aud: passportAudience, sub: principal?.userId ?? passportIssuer, principal };
  const open = Buffer.from(JSON.stringify(claims).slice(0, -1));
  const head = `${header}.${Buffer.concat([open, Buffer.alloc((3 - (open.length % 3)) % 3, ' ')]).toString('base64url')}`;
  if (principal) heads.set(principal, head);
  return head;
}

function signWithNode(privateKeyPem: string): SignMessage {
  const key = createPrivateKey(privateKeyPem);
  return (message) => sign(null, message, key);
}

/**
 * Creates the function that signs passports: compact EdDSA JWTs that are valid for a minute.
 * It does not use a JWT library because the gateway signs once per request: the caller's part is serialized once for
 * each principal object, which must not be modified afterwards.
 * @param createSigner creates the signing function from the private key (PKCS 8 in PEM)
 */
export function createPassportSigner(privateKeyPem: string, createSigner = signWithNode) {
  const signMessage = createSigner(privateKeyPem);
  return ({ principal, requestId }: PassportSubject): string => {
    const iat = Math.floor(Date.now() / 1_000);
    const tail = `,"iat":${iat},"exp":${iat + passportLifetimeSeconds},"requestId":${JSON.stringify(requestId)}}`;
    const unsigned = headOf(principal) + encode(tail);
    return `${unsigned}.${signMessage(Buffer.from(unsigned, 'latin1')).toString('base64url')}`;
  };
}
export type SignPassport = ReturnType<typeof createPassportSigner>;

import { createPrivateKey, sign } from 'node:crypto';
import { type Principal, passportAudience, passportIssuer, passportLifetimeSeconds } from '@lms/contracts/passport';

/** What a passport says: who is calling, or (`null`) that the gateway asks on its own behalf. */
export interface PassportSubject {
  principal: Principal | null;
  requestId: string;
}

/** Makes a message's Ed25519 signature. */
export type SignMessage = (message: Buffer) => Buffer;

const encode = (text: string) => Buffer.from(text).toString('base64url');
const header = encode(JSON.stringify({ alg: 'EdDSA', typ: 'JWT' }));
const kept = new WeakMap<Principal, string>();

/** The head of a passport that is the same in all of one principal's; base64url of whole triples can be continued. */
function headOf(principal: Principal | null): string {
  const known = principal && kept.get(principal);
  if (known) return known;
  const claims = { iss: passportIssuer, aud: passportAudience, sub: principal?.userId ?? passportIssuer, principal };
  const open = Buffer.from(JSON.stringify(claims).slice(0, -1));
  const head = `${header}.${Buffer.concat([open, Buffer.alloc((3 - (open.length % 3)) % 3, ' ')]).toString('base64url')}`;
  if (principal) kept.set(principal, head);
  return head;
}

function signWithNode(privateKeyPem: string): SignMessage {
  const key = createPrivateKey(privateKeyPem);
  return (message) => sign(null, message, key);
}

/**
 * Makes the function that signs passports: compact EdDSA JWTs that live a minute.
 * They are put together here instead of by a JWT library because the gateway does it once a request: what says who is
 * calling is written once for each principal object, which must not change afterwards.
 * @param createSigner what signs with a private key, as PKCS 8 in PEM
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

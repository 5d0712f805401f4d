import { type ErrorCode, errorStatuses } from '@lms/contracts/errors';
import { errorCodes, exampleBody } from './error-codes.ts';

const introduction = `# Error codes

<!-- Generated from infra/openapi/src/error-codes.ts: pnpm --filter openapi generate -->

Every error has this form. \`error\` is a message for humans and may change; \`code\` is for programs and does not. The \`code\` decides which \`details\` there are. \`requestId\` is also in the header \`X-Request-Id\` and in the logs of the service: include it when you report a problem.
`;

/** The page of all error codes for app developers. */
export function toErrorPage(): string {
  const codes = Object.keys(errorStatuses).filter((code): code is ErrorCode => Object.hasOwn(errorCodes, code));
  const sections = codes.map((code) => {
    const { cause, remedy } = errorCodes[code];
    const example = JSON.stringify(exampleBody(code), null, 2);
    return [
      `## ${code}`,
      `Status ${errorStatuses[code].join(' or ')}. ${cause}`,
      `**Remedy:** ${remedy}`,
      `\`\`\`json\n${example}\n\`\`\``,
    ].join('\n\n');
  });
  return `${[introduction.trim(), ...sections].join('\n\n')}\n`;
}

import { exampleBody, namedErrors } from './refusals.ts';

const introduction = `# Error codes

<!-- Generated from packages/contracts/src/errors.ts: pnpm --filter openapi generate -->

Every error has this form. \`error\` is a message for humans and may change; \`code\` is for programs and does not. The \`code\` decides which \`details\` there are. \`requestId\` is also in the header \`X-Request-Id\` and in the logs of the service: include it when you report a problem.
`;

/** The page of all error codes for app developers. */
export function toErrorPage(): string {
  const sections = namedErrors.map((named) => {
    const [code, { statuses, cause, remedy }] = named;
    const example = JSON.stringify(exampleBody(named), null, 2);
    return [
      `## ${code}`,
      `Status ${statuses.join(' or ')}. ${cause}`,
      `**Remedy:** ${remedy}`,
      `\`\`\`json\n${example}\n\`\`\``,
    ].join('\n\n');
  });
  return `${[introduction.trim(), ...sections].join('\n\n')}\n`;
}

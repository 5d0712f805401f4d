import { printable } from '@lms/service/normalize-text';
import type { Issue } from '../curriculum/read-items.ts';

/** The issues that an import shows; all of them are counted. */
export const maxIssues = 1_000;

export function collectIssues(given: { issues: Issue[]; issueCount: number } = { issues: [], issueCount: 0 }) {
  const issues = [...given.issues];
  let issueCount = given.issueCount;
  let hasErrors = issues.some(({ severity }) => severity === 'error');
  return {
    add(issue: Issue) {
      issueCount += 1;
      hasErrors ||= issue.severity === 'error';
      if (issues.length >= maxIssues) return;
      // They quote names and texts of the file, which may contain anything, and may be cut within a character.
      issues.push({ ...issue, location: printable(issue.location), message: printable(issue.message) });
    },
    hasErrors: () => hasErrors,
    result: () => ({ issues, issueCount }),
  };
}
export type Issues = ReturnType<typeof collectIssues>;

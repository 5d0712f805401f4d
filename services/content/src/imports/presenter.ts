import type { Issue } from '../curriculum/read-items.ts';
import type { Import } from './table.ts';

export const toImport = (job: Import) => {
  const { id, status, mode, dryRun, fileName, percent, counts, issues, issueCount, createdBy } = job;
  return {
    ...{ id, status, mode, dryRun, fileName, percent, counts, issueCount, createdBy },
    issues: issues.map(toIssue),
    createdAt: job.createdAt.toISOString(),
    finishedAt: job.finishedAt?.toISOString() ?? null,
  };
};

function toIssue({ location, ...issue }: Issue) {
  const line = /^line (\d+)$/.exec(location)?.[1];
  return line === undefined ? { ...issue, pointer: location } : { ...issue, line: Number(line) };
}

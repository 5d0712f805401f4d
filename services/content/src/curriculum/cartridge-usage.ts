import { manifestPath } from './cartridge-format.ts';
import type { Resource } from './read-manifest.ts';
import { type ArchiveFiles, unsupportedKind } from './read-resource.ts';

/** Keeps track of what topics were made of, to report the rest. */
export function trackUsage(resources: ReadonlyMap<string, Resource>) {
  const used = new Set<Resource>();
  const files = new Set<string>([manifestPath]);

  const pathsOf = ({ href, files: others }: Resource) => [href, ...others].filter((path) => path !== undefined);

  return {
    addFiles(paths: string[]) {
      for (const path of paths) files.add(path);
    },

    /** Adds a resource with those that it depends on, except those that its topic does not show to learners. */
    addResource(resource: Resource) {
      const waiting = [resource];
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        if (used.has(next)) continue;
        used.add(next);
        for (const path of pathsOf(next)) files.add(path);
        for (const identifier of next.dependencies) {
          const dependency = resources.get(identifier);
          if (dependency && (dependency.isForLearners || !resource.isForLearners)) waiting.push(dependency);
        }
      }
    },

    /** The resources that belong to no topic, and then the files that belong to no resource. */
    *unused({ sizes }: ArchiveFiles): Generator<{ code: string; message: string; line?: number }> {
      for (const resource of resources.values()) {
        const paths = pathsOf(resource);
        const isTaken = used.has(resource) || (paths.length > 0 && paths.every((path) => files.has(path)));
        for (const path of paths) files.add(path);
        if (isTaken) continue;
        const what = unsupportedKind(resource) ?? (paths[0] === undefined ? 'it has no files' : `the file ${paths[0]}`);
        const message = `The resource "${resource.identifier.slice(0, 100)}" belongs to no topic: ${what}`;
        yield { code: 'UNUSED_RESOURCE', message, line: resource.line };
      }
      for (const path of sizes.keys())
        if (!files.has(path)) yield { code: 'UNUSED_FILE', message: `The file ${path} belongs to no topic` };
    },
  };
}

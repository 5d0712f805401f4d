import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, Service, ServiceAccount } from 'kubernetes-models/v1';
import type { Resource } from './render.ts';

const models = [
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
];

/** Validates a resource against the schema of its kind, and returns the errors, including unknown fields. */
export function validateResource(resource: Resource): string[] {
  const Model = models.find(({ apiVersion, kind }) => apiVersion === resource.apiVersion && kind === resource.kind);
  if (!Model) return [`there is no schema for ${resource.apiVersion} ${resource.kind}`];
  const unread = new Map<string, () => boolean>();
  try {
    // Not through the constructor, which copies all fields and so would count as reading them.
    Reflect.apply(Model.prototype.validate, trackReads(resource, '', unread), []);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  return [...unread].flatMap(([path, isUnread]) => (isUnread() ? `${path} is not a field` : []));
}

/** The schemas ignore unknown fields instead of rejecting them, so a field that validation never reads is unknown. */
function trackReads(value: object, path: string, unread: Map<string, () => boolean>): object {
  const read = new Set<PropertyKey>();
  for (const name of Object.keys(value)) unread.set(`${path}/${name}`, () => !read.has(name));
  const watched = new Map<PropertyKey, object>();
  return new Proxy(value, {
    get(target, name, receiver) {
      read.add(name);
      const found: unknown = Reflect.get(target, name, receiver);
      if (typeof found !== 'object' || found === null) return found;
      const inner = watched.get(name) ?? trackReads(found, `${path}/${String(name)}`, unread);
      watched.set(name, inner);
      return inner;
    },
  });
}

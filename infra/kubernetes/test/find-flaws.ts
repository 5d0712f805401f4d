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

/** What the schema of its kind has against a resource, unknown fields included; nothing, if it is one. */
export function findFlaws(resource: Resource): string[] {
  const Model = models.find(({ apiVersion, kind }) => apiVersion === resource.apiVersion && kind === resource.kind);
  if (!Model) return [`no schema is known for ${resource.apiVersion} ${resource.kind}`];
  const unread = new Map<string, () => boolean>();
  try {
    // Not by the constructor, which copies what it is given: that would count as looking at it.
    Reflect.apply(Model.prototype.validate, watch(resource, '', unread), []);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  return [...unread].flatMap(([path, isUnread]) => (isUnread() ? `${path} is no field` : []));
}

/** The schemas let unknown fields pass, but they don't look at them: what is never read is known to nobody. */
function watch(value: object, path: string, unread: Map<string, () => boolean>): object {
  const read = new Set<PropertyKey>();
  for (const name of Object.keys(value)) unread.set(`${path}/${name}`, () => !read.has(name));
  const watched = new Map<PropertyKey, object>();
  return new Proxy(value, {
    get(target, name, receiver) {
      read.add(name);
      const found: unknown = Reflect.get(target, name, receiver);
      if (typeof found !== 'object' || found === null) return found;
      const inner = watched.get(name) ?? watch(found, `${path}/${String(name)}`, unread);
      watched.set(name, inner);
      return inner;
    },
  });
}

import { MethodNotAllowed, RouteNotFound } from '@lms/service/problems';
import { maxUrlBytes } from '@lms/service/url-length';
import createRouter from 'find-my-way';
import type { Place, Route } from './route.ts';

const noop = () => undefined;

/** Finds the place of a path; undefined when there is none. */
export function createMatcher(table: readonly Route[]) {
  // One method stands for all: which methods a path knows is the place's business, so that 405 can name them.
  const router = createRouter({ maxParamLength: maxUrlBytes });
  for (const path of new Set(table.map((route) => route.path))) router.on('GET', path, noop, openPlace(table, path));
  return (path: string): Place | undefined => {
    const place: Place | undefined = router.find('GET', path)?.store;
    // The router lets a parameter be empty; a path that ends where an id should stand is not one of ours.
    return path.endsWith('/') && !place?.path.endsWith('*') ? undefined : place;
  };
}
export type Match = ReturnType<typeof createMatcher>;

function openPlace(table: readonly Route[], path: string): Place {
  const routes = new Map<string, Route>();
  for (const route of table) if (route.path === path) routes.set(route.method, route);
  const get = routes.get('GET');
  if (get) routes.set('HEAD', get);
  const limit = table.find((route) => route.path === path && route.limit !== 'upload')?.limit;
  return {
    path,
    routes,
    limit: limit === undefined || limit === 'upload' ? 'general' : limit,
    allow: [...routes.keys(), 'OPTIONS'].join(', '),
  };
}

/** @throws a 404 for an unknown path, a 405 for a method that its place does not know */
export function routeOf(place: Place | undefined, method: string): Route {
  if (!place) throw new RouteNotFound();
  const route = place.routes.get(method);
  if (!route) throw new MethodNotAllowed({ headers: { allow: place.allow } });
  return route;
}

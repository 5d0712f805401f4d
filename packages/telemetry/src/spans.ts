export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Something that takes time, as a part of one trace. */
export interface Span {
  /** What whoever is called for its sake is told. */
  readonly traceparent: string;
  /** Runs work within it: what that begins belongs to it. */
  run: <T>(work: () => T) => T;
  set: (attributes: Attributes) => void;
  rename: (name: string) => void;
  /** A failure is told by its name alone: messages may hold what is not meant for a trace store. */
  end: (failure?: unknown) => void;
}

export interface SpanOptions {
  kind: 'server' | 'client' | 'producer' | 'consumer';
  /** The traceparent it continues; `null` begins a trace of its own. Without it, it belongs to what is running. */
  parent?: string | null;
  /** A traceparent that has to do with it without being trusted as its parent. */
  link?: string | undefined;
  attributes?: Attributes;
}

export interface Tracing {
  startSpan: (name: string, beginning: SpanOptions) => Span;
  /** The span that is running, if one is. */
  activeSpan: () => Span | undefined;
  /** Sends what has not been sent. */
  close: () => Promise<void>;
}

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A unit of work in a trace. */
export interface Span {
  /** The header value for outgoing requests and events. */
  readonly traceparent: string;
  /** Runs a function in this span: spans that it starts become children. */
  run: <T>(work: () => T) => T;
  set: (attributes: Attributes) => void;
  rename: (name: string) => void;
  /** Records only the name of an error: its message may contain data that must not reach the trace store. */
  end: (error?: unknown) => void;
}

export interface SpanOptions {
  kind: 'server' | 'client' | 'producer' | 'consumer';
  /** The traceparent to continue; `null` starts a new trace. By default the parent is the active span. */
  parent?: string | null;
  /** A related traceparent that is not trusted as the parent. */
  link?: string | undefined;
  attributes?: Attributes;
}

export interface Tracing {
  startSpan: (name: string, options: SpanOptions) => Span;
  activeSpan: () => Span | undefined;
  /** Sends the pending spans and stops recording. */
  close: () => Promise<void>;
}

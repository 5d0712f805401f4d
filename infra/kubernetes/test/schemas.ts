import { type Static, Type } from '@sinclair/typebox';

const Labels = Type.Record(Type.String(), Type.String());
const Selector = Type.Object({ matchLabels: Type.Optional(Labels) });
const Names = Type.Optional(Type.Object({ name: Type.String() }));
const Probe = Type.Object({ httpGet: Type.Object({ path: Type.String(), port: Type.String() }) });

export const Container = Type.Object({
  name: Type.String(),
  image: Type.String(),
  command: Type.Optional(Type.Array(Type.String())),
  ports: Type.Optional(Type.Array(Type.Object({ name: Type.String(), containerPort: Type.Integer() }))),
  envFrom: Type.Optional(Type.Array(Type.Object({ configMapRef: Names, secretRef: Names }))),
  env: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        valueFrom: Type.Object({ secretKeyRef: Type.Object({ name: Type.String(), key: Type.String() }) }),
      }),
    ),
  ),
  startupProbe: Type.Optional(Probe),
  livenessProbe: Type.Optional(Probe),
  readinessProbe: Type.Optional(Probe),
  resources: Type.Object({ requests: Labels, limits: Labels }),
  securityContext: Type.Object({
    allowPrivilegeEscalation: Type.Literal(false),
    readOnlyRootFilesystem: Type.Literal(true),
    capabilities: Type.Object({ drop: Type.Tuple([Type.Literal('ALL')]) }),
  }),
});
export type Container = Static<typeof Container>;

/** A workload with restricted privileges. Parsing fails without one of these fields. */
export const Workload = Type.Object({
  metadata: Type.Object({ name: Type.String() }),
  spec: Type.Object({
    selector: Type.Optional(Selector),
    template: Type.Object({
      metadata: Type.Object({ labels: Labels }),
      spec: Type.Object({
        serviceAccountName: Type.Optional(Type.String()),
        automountServiceAccountToken: Type.Literal(false),
        terminationGracePeriodSeconds: Type.Optional(Type.Integer()),
        securityContext: Type.Object({
          runAsNonRoot: Type.Literal(true),
          runAsUser: Type.Integer({ minimum: 1 }),
          seccompProfile: Type.Object({ type: Type.Literal('RuntimeDefault') }),
        }),
        containers: Type.Tuple([Container]),
      }),
    }),
  }),
});

export const ConfigMap = Type.Object({
  metadata: Type.Object({ name: Type.String() }),
  data: Type.Optional(Labels),
});

export const ExternalSecret = Type.Object(
  {
    apiVersion: Type.Literal('external-secrets.io/v1'),
    kind: Type.Literal('ExternalSecret'),
    metadata: Type.Object({ name: Type.String(), namespace: Type.String() }, { additionalProperties: false }),
    spec: Type.Object(
      {
        refreshInterval: Type.String(),
        secretStoreRef: Type.Object({ kind: Type.String(), name: Type.String() }, { additionalProperties: false }),
        target: Type.Object({ name: Type.String() }, { additionalProperties: false }),
        data: Type.Array(
          Type.Object(
            { secretKey: Type.String(), remoteRef: Type.Object({ key: Type.String(), property: Type.String() }) },
            { additionalProperties: false },
          ),
        ),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

export const WithSelector = Type.Object({
  metadata: Type.Object({ name: Type.String() }),
  spec: Type.Object({ selector: Type.Unknown() }),
});

const Peer = Type.Object({
  podSelector: Type.Optional(Selector),
  namespaceSelector: Type.Optional(Selector),
  ipBlock: Type.Optional(Type.Object({ cidr: Type.String() })),
});
const Port = Type.Object({ protocol: Type.String(), port: Type.Integer() });
export const NetworkPolicy = Type.Object({
  metadata: Type.Object({ name: Type.String() }),
  spec: Type.Object({
    podSelector: Selector,
    policyTypes: Type.Array(Type.String()),
    ingress: Type.Optional(Type.Array(Type.Object({ from: Type.Array(Peer), ports: Type.Array(Port) }))),
    egress: Type.Optional(Type.Array(Type.Object({ to: Type.Array(Peer), ports: Type.Array(Port) }))),
  }),
});
export type NetworkPolicy = Static<typeof NetworkPolicy>;

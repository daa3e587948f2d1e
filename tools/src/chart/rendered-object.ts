// What the checks look at in the objects of a chart.

/** An object as Helm renders it. */
export interface RenderedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Labels };
  readonly spec?: RenderedSpec;
  readonly data?: Readonly<Record<string, string>>;
}

/** Labels by name. */
export type Labels = Readonly<Record<string, string>>;

/** A selector by labels. */
export interface LabelSelector {
  readonly matchLabels?: Labels;
}

/** The fields of all kinds: each kind has some of them. */
export interface RenderedSpec {
  /** Of a Service it is the labels themselves. */
  readonly selector?: LabelSelector | Labels;
  readonly podSelector?: LabelSelector;
  readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
  readonly ports?: readonly { readonly name?: string; readonly targetPort: number }[];
  readonly ingress?: readonly { readonly ports: readonly { readonly port: number }[] }[];
  readonly endpoints?: readonly { readonly port: string }[];
  readonly secretName?: string;
}

/** The Pod of a Deployment. */
export interface PodSpec {
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean;
    readonly runAsUser?: number;
    readonly seccompProfile?: { readonly type: string };
  };
  readonly containers: readonly Container[];
  readonly volumes: readonly Volume[];
}

/** A volume; the chart has none but Secrets. */
export interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string; readonly items: readonly { readonly key: string; readonly path: string }[] };
}

/** A container of a Pod. */
export interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly subPath?: string }[];
  readonly resources?: { readonly requests?: Labels; readonly limits?: Labels };
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  };
}

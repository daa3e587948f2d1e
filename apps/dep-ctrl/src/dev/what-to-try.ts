/** What there is to try. */
export interface ToTry {
  /** As typed from the current folder. */
  readonly kubeconfig: string;
  readonly empty: boolean;
  readonly inMemory: boolean;
  /** The address of the console. */
  readonly console: string;
}

/** What a user can type next, with what comes back, and where to look. */
export function whatToTry({ kubeconfig, empty, inMemory, console }: ToTry): string {
  const end = `In a browser, rules, graph, decisions, and whether a delete would be refused: ${console}
Ctrl-C ends it${inMemory ? '; the state is in memory and goes with it' : ' and removes what was made'}.`;
  if (empty) {
    return `
In another terminal:

  export KUBECONFIG=${kubeconfig}
  kubectl --context dep-ctrl get apiexports

${end}
`;
  }
  return `
Now you, in another terminal:

  export KUBECONFIG=${kubeconfig}
  kubectl --context team-b get vpcs,virtualmachines
  kubectl --context team-b delete vpc my-vpc                 # refused: VirtualMachine/my-vm refers to it
  kubectl --context network get guards                       # who guards what in the network provider's workspace
  kubectl --context compute get dependencyrules              # the rule and its state
  kubectl --context team-b annotate vpc my-vpc dependencies.opendefense.cloud/skip-protection=true
  kubectl --context team-b delete vpc my-vpc                 # goes through: the annotation lifts the protection

The contexts are one per workspace: root, dep-ctrl, network, compute, team-a and team-b; base and system:admin are those of kcp itself.
${end}
`;
}

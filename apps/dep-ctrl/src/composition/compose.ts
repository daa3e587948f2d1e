import type { ReadinessCheck, Runnable } from '@dep-ctrl/kcp-client';
import { Container, type ContainerModule } from 'inversify';
import { Installations } from '../controller/configuration/installations.js';
import { OrderedTeardown } from '../controller/teardown/ordered-teardown.js';
import { GuardedWorkspaceController } from '../controller/workspace/guarded-workspace-controller.js';
import { LeadershipStart, ReadyLines, RunningPart } from './tokens.js';

/** The modules of a process, and those of a leadership in it. */
export interface ModuleSet {
  readonly process: readonly ContainerModule[];
  readonly leadership?: (webhookUrl: string) => readonly ContainerModule[];
}

/**
 * Builds each part once, when it is first needed, and starts none. Each term of leadership has a container of its own on top of the process's: it
 * remembers nothing of the term before, because another leader may have written in between.
 */
export function compose({ process, leadership }: ModuleSet): Container {
  const container = containerOf(process);
  if (leadership !== undefined) {
    const start = new LeadershipStart((webhookUrl) => {
      const term = containerOf(leadership(webhookUrl), container);
      return {
        parts: partsOf(term),
        controller: term.get(GuardedWorkspaceController),
        installations: term.get(Installations),
        teardown: term.get(OrderedTeardown, { optional: true }),
      };
    });
    container.bind(LeadershipStart).toConstantValue(start);
  }
  return container;
}

/** The parts that the modules run. */
export function partsOf(container: Container): readonly Runnable[] {
  return container.getAll(RunningPart).map(({ value }) => value);
}

/** The readiness checks of the modules. */
export function readyLinesOf(container: Container): readonly ReadinessCheck[] {
  return container.getAll(ReadyLines).flatMap(({ value }) => value);
}

function containerOf(modules: readonly ContainerModule[], parent?: Container): Container {
  const container = new Container({ defaultScope: 'Singleton', ...(parent === undefined ? {} : { parent }) });
  container.load(...modules);
  return container;
}

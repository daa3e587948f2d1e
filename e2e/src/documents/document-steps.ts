// The shell blocks of a Markdown document as steps, each with what the document says is printed. Pure.

/** One shell block. */
export interface DocumentStep {
  /** The heading above it. */
  readonly part: string;
  /** As written, without the indentation of a list. */
  readonly commands: string;
  /** The block behind it, if the document shows one. */
  readonly shows: string | undefined;
  /** The text before it says `Leave it running`: it goes on beside the steps that follow. */
  readonly staysRunning: boolean;
  /** The text before it says `Ctrl-C`: what was left running ends first. */
  readonly endsRunning: boolean;
}

const BLOCK = /^( *)```(\w*)\n([\s\S]*?)^ *```$/gm;

/** Reads them, in order. */
export function documentSteps(markdown: string): readonly DocumentStep[] {
  const steps: DocumentStep[] = [];
  let part = '';
  let readTo = 0;
  let open = false;
  for (const block of markdown.matchAll(BLOCK)) {
    const [whole, indent = '', language = '', body = ''] = block;
    const text = markdown.slice(readTo, block.index);
    readTo = block.index + whole.length;
    part = [...text.matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? part;
    const content = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trimEnd();
    const last = steps.at(-1);
    if (language === 'sh') {
      const staysRunning = text.includes('Leave it running');
      steps.push({ part, commands: content, shows: undefined, staysRunning, endsRunning: text.includes('Ctrl-C') });
    } else if (language === '' && last !== undefined && open && text.trim() === '') {
      steps[steps.length - 1] = { ...last, shows: content };
    }
    open = language === 'sh';
  }
  return steps;
}

// What a log says of the steps of a workflow, without the times, paths and commands that differ between any two runs.

/** As cwltool writes it: `[2026-01-31 09:30:00] INFO [step sort] completed success`. */
const SAID = /\[((?:workflow|step|job) [^\]]*)\] (start|completed \w+|exited with status: \d+)$/;

/** The last that is said of each, by its name. */
export const logOutline = (log: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    log.split('\n').flatMap((line): [string, string][] => {
      const [, name, said] = SAID.exec(line.trimEnd()) ?? [];
      return name === undefined || said === undefined ? [] : [[name.trim(), said]];
    }),
  );

/** As CEL: what belongs to a project. */
export const projectFilter = (project: string): string => `project == ${JSON.stringify(project)}`;

/** The family of lamps: what is lit, planned, judged and counted by night. */
export const lampFamily = 'single-lamp-controller';
/** The family of controllers in control boxes, which switch loops and speak for their lamps. */
export const controllerFamily = 'central-controller';

/** Families whose devices are set by work parameter templates: others are told no settings of one. */
export const templateFamilies = [lampFamily] as const;
export type TemplateFamily = (typeof templateFamilies)[number];
/** Versions from before it was said are of lamps. */
export const familyOfTemplate = (content: { readonly family?: TemplateFamily } | null): TemplateFamily =>
  content?.family ?? lampFamily;

/** Families whose devices are lamps. They stand here, not in their files: the shell of the console loads no family. */
export const lampFamilies: readonly string[] = [lampFamily];
export const isLamp = (family: string | null): boolean => family !== null && lampFamilies.includes(family);

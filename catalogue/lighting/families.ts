/** The family of lamps: what is lit, planned, judged and counted by night. */
export const lampFamily = 'single-lamp-controller';
/** The family of controllers in control boxes, which switch loops and speak for their lamps. */
export const controllerFamily = 'central-controller';

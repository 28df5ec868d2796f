export const crest = {};

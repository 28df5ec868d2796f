export const slopes = {};

export class TurnGame {}

export declare const FLAGS: string[];

export declare function targetOf(file: string, specifier: string): string;
export declare function specifierFrom(file: string, target: string): string;

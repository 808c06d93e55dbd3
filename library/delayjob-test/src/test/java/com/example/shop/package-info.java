/** The application of docs/quick-start.md. */
@NullMarked
package com.example.shop;

import org.jspecify.annotations.NullMarked;
